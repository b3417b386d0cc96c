// Rows of tables and lists, kept while what they are about stays: a selection or a focus survives.
// What comes from elsewhere is set as text and as nothing else.

/** Shows or hides. */
export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

export function text(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

function tone(element, name) {
  const wanted = name ?? "";
  if (element.className !== wanted) element.className = wanted;
}

/**
 * Makes the body's rows those of the items, in their order. A cell has words, and may have a tone
 * (a class), small words behind them, or a drawing.
 */
export function rows(body, items, key, cells) {
  const heads = [...body.closest("table").tHead.rows[0].cells];
  const old = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  items.forEach((item, place) => {
    const name = key(item, place);
    const row = old.get(name) ?? newRow(name, heads);
    old.delete(name);
    if (body.rows[place] !== row) body.insertBefore(row, body.rows[place] ?? null);
    cells(item).forEach((cell, at) => fill(row.cells[at], cell, heads[at]));
  });
  old.forEach((row) => row.remove());
}

function newRow(name, heads) {
  const row = document.createElement("tr");
  row.dataset.key = name;
  heads.forEach((head, at) => {
    const cell = document.createElement(at === 0 ? "th" : "td");
    if (at === 0) cell.scope = "row";
    cell.dataset.label = head.textContent;
    cell.append(document.createElement("span"));
    row.append(cell);
  });
  return row;
}

function fill(cell, what, head) {
  text(cell.querySelector(":scope > span"), what.words ?? "");
  tone(cell, [head.className, what.tone ?? ""].join(" ").trim());
  let small = cell.querySelector("small");
  if (what.small && !small) {
    small = document.createElement("small");
    cell.append(small);
  }
  if (small) text(small, what.small ?? "");
  if (what.drawing) {
    let drawing = cell.querySelector("svg");
    if (!drawing) {
      drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      drawing.setAttribute("role", "img");
      drawing.setAttribute("class", "spark");
      cell.prepend(drawing);
    }
    what.drawing(drawing);
  }
}

/** The notes: how grave, about whom, what, and where to read what to do. */
export function notes(list, items) {
  while (list.children.length > items.length) list.lastChild.remove();
  items.forEach((note, at) => {
    let item = list.children[at];
    if (!item) {
      item = document.createElement("li");
      item.append(
        document.createElement("b"), " ", document.createElement("strong"), " ",
        document.createElement("span"), " ", document.createElement("small"));
      list.append(item);
    }
    tone(item, note.severity);
    const [grave, whom, what, where] = item.children;
    text(grave, note.severity);
    const named = [note.recorder, note.host].filter((name) => name !== null).join(" on ");
    text(whom, named === "" ? "" : `${named}:`);
    text(what, note.sentence);
    text(where, note.runbook);
  });
}
