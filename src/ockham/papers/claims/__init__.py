"""The claims of papers beside what studies store: read strictly, judged by closed rules, shown as tables."""
