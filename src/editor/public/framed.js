// Runs inside of the framed page, in an origin that is nobody's: it lets the marked texts be edited, and tells the editor of it.
(() => {
  'use strict';
  const { attribute, digest } = document.currentScript.dataset;
  /** By text id: the elements that hold its texts between marks. */
  const hosts = new Map();
  let editor;

  const placeOf = (host) => {
    const [id, index] = host.getAttribute(attribute).split(' ');
    return { id, index: Number(index) };
  };
  const textsOf = (id) => hosts.get(id).map(textOf);
  const collapse = (text) => text.replace(/[ \t\n\f\r]+/g, ' ');
  /** Browsers put an element where a line ends, even into plain text. */
  function textOf(host) {
    const copy = host.cloneNode(true);
    for (const end of copy.querySelectorAll('br')) end.replaceWith('\n');
    return copy.textContent;
  }

  const keepsLines = (host) => host.closest('pre, listing') !== null;

  function collect() {
    for (const host of document.querySelectorAll(`[${attribute}]`)) {
      const { id, index } = placeOf(host);
      if (!hosts.has(id)) hosts.set(id, []);
      hosts.get(id)[index] = host;
    }
  }

  function quiet() {
    for (const element of document.querySelectorAll(
      'a, area, button, input, select, textarea, summary, [tabindex], audio, video',
    ))
      element.tabIndex = -1;
    for (const element of document.querySelectorAll('details')) element.open = true;
    for (const link of document.querySelectorAll('a, img')) link.draggable = false;
  }

  function makeEditable({ id, texts, label }) {
    const all = hosts.get(id);
    if (!all || all.length !== texts.length || all.includes(undefined)) return hosts.delete(id);
    for (const [index, host] of all.entries()) {
      // what can be edited as plain text shows all white space: the source's own, which a reader does not see, goes first
      if (getComputedStyle(host).whiteSpaceCollapse === 'collapse') show(host, texts[index]);
      host.contentEditable = 'plaintext-only';
      host.setAttribute('role', 'textbox');
      host.setAttribute('aria-label', texts.length === 1 ? label : `${label}, part ${index + 1} of ${texts.length}`);
      host.spellcheck = false;
      host.tabIndex = -1;
    }
    (all.find((host) => host.textContent.trim() !== '') ?? all[0]).tabIndex = 0;
  }

  /** Only where it differs: a caret in an element is lost when its text is set. */
  function show(host, text) {
    if (textOf(host) !== text) host.textContent = text;
  }

  const changed = (id, isChanged) =>
    hosts.get(id)?.forEach((host) => host.toggleAttribute(`${attribute}-changed`, isChanged));

  const hostOf = (event) => event.target.closest?.(`[${attribute}]`);

  function onInput(event) {
    const host = hostOf(event);
    if (!host) return;
    if (host.textContent.trim() === '') host.replaceChildren();
    const { id } = placeOf(host);
    editor.postMessage({ type: 'edit', id, texts: textsOf(id) });
  }

  function onKey(event) {
    const host = hostOf(event);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault();
      return editor.postMessage({ type: 'save' });
    }
    if (!host) return;
    if (event.key === 'Enter' && !keepsLines(host)) return then(event, () => step(host, event.shiftKey ? -1 : 1));
    if (event.key === 'Escape') return then(event, () => editor.postMessage({ type: 'leave' }));
    if (event.key === ' ' && host.closest('button, summary')) return then(event, () => insert(' '));
    if (event.key === 'ArrowRight' && atEnd(host)) moveWithin(event, host, 1);
    if (event.key === 'ArrowLeft' && atStart(host)) moveWithin(event, host, -1);
  }

  function then(event, act) {
    event.preventDefault();
    act();
  }

  const insert = (text) => document.execCommand('insertText', false, text);

  /** Moves to the next or previous text of the page. */
  function step(host, direction) {
    const stops = [...document.querySelectorAll(`[${attribute}]`)].filter((other) => other.tabIndex === 0);
    const own = hosts.get(placeOf(host).id).find((other) => other.tabIndex === 0);
    stops[stops.indexOf(own) + direction]?.focus();
  }

  /** Moves from one text between marks to its neighbour, as the caret would in one text. */
  function moveWithin(event, host, direction) {
    const { id, index } = placeOf(host);
    const next = hosts.get(id)[index + direction];
    if (!next || event.shiftKey) return;
    event.preventDefault();
    next.focus();
    getSelection().selectAllChildren(next);
    if (direction > 0) getSelection().collapseToStart();
    else getSelection().collapseToEnd();
  }

  const caret = (host) => {
    const selection = getSelection();
    if (!selection.isCollapsed || !selection.rangeCount) return undefined;
    const range = document.createRange();
    range.selectNodeContents(host);
    range.setEnd(selection.focusNode, selection.focusOffset);
    return range.toString().length;
  };
  const atEnd = (host) => caret(host) === host.textContent.length;
  const atStart = (host) => caret(host) === 0;

  function onPaste(event) {
    const host = hostOf(event);
    if (!host) return;
    event.preventDefault();
    const text = (event.clipboardData ?? event.dataTransfer).getData('text/plain');
    insert(keepsLines(host) ? text : collapse(text));
  }

  function onBeforeInput(event) {
    const host = hostOf(event);
    if (!host) return;
    const breaks = event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak';
    if ((breaks && !keepsLines(host)) || event.inputType === 'insertFromDrop') event.preventDefault();
  }

  function onFocus(event) {
    const host = hostOf(event);
    if (host) editor.postMessage({ type: 'focus', id: placeOf(host).id });
  }

  const commands = {
    texts({ all }) {
      for (const text of all) makeEditable(text);
      editor.postMessage({ type: 'editable', ids: [...hosts.keys()] });
    },
    set({ id, texts, isChanged }) {
      hosts.get(id)?.forEach((host, index) => show(host, texts[index]));
      changed(id, isChanged);
    },
    changed: ({ id, isChanged }) => changed(id, isChanged),
    focus({ id }) {
      const host = hosts.get(id)?.find(({ tabIndex }) => tabIndex === 0);
      host?.scrollIntoView({ block: 'center' });
      host?.focus({ preventScroll: true });
    },
  };

  function connect() {
    collect();
    quiet();
    const { port1, port2 } = new MessageChannel();
    editor = port1;
    editor.onmessage = ({ data }) => commands[data.type](data);
    parent.postMessage({ type: 'agent-editor-frame', digest }, '*', [port2]);
    document.addEventListener('input', onInput, true);
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('paste', onPaste, true);
    document.addEventListener('beforeinput', onBeforeInput, true);
    document.addEventListener('focusin', onFocus, true);
  }

  for (const type of ['click', 'auxclick', 'submit', 'dragstart', 'drop'])
    document.addEventListener(type, (event) => event.preventDefault(), true);
  document.addEventListener('DOMContentLoaded', connect, { once: true });
})();
