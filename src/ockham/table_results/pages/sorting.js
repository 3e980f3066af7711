// A button in every head of a plain table, which sorts by that column: by numbers where there are some, and what has none
// comes last. A second press turns the order round. Without scripts a table is as it was written.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (!body || table.tHead?.rows.length !== 1 || table.querySelector("[colspan], [rowspan]")) continue;
  const heads = [...table.tHead.rows[0].cells].filter(head => head.textContent.trim());
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const order = head.ariaSort === "ascending" ? "descending" : "ascending";
      for (const each of heads) each.ariaSort = each === head ? order : null;
      const sign = order === "ascending" ? 1 : -1;
      const key = row => row.cells[head.cellIndex].dataset.value ?? row.cells[head.cellIndex].textContent.trim();
      const compare = (a, b) => {
        if (a === "" || b === "") return (a === "") - (b === "");
        return sign * (isNaN(a) || isNaN(b) ? a.localeCompare(b, undefined, { numeric: true }) : a - b);
      };
      body.append(...[...body.rows].sort((a, b) => compare(key(a), key(b))));
    };
  }
}
