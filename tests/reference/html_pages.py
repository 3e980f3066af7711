"""What Python's own parser makes of a page."""

from html.parser import HTMLParser


class Parsed(HTMLParser):
    """Elements with their attributes, and the text outside of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self.stack = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.stack.append(tag)

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"script", "style"} & set(self.stack):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def tags(self):
        return [tag for tag, _ in self.elements]
