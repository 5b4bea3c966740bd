'use strict';
// Runs inside the framed page, in an opaque origin. It makes the marked texts editable, and reports to the editor.
{
  /**
   * @typedef {import('../protocol.ts').FrameCommand} FrameCommand
   * @typedef {import('../protocol.ts').FrameGreeting} FrameGreeting
   * @typedef {import('../protocol.ts').FrameReport} FrameReport
   * @typedef {import('../protocol.ts').LabelledText} LabelledText
   */

  const { attribute = '', digest = '' } = { ...document.currentScript?.dataset };
  const selector = `[${attribute}]`;
  /**
   * By text id: the elements that hold its texts between marks.
   * @type {Map<string, (HTMLElement | undefined)[]>}
   */
  const hosts = new Map();
  const { port1: editor, port2: editorsEnd } = new MessageChannel();

  /** @param {FrameReport} message */
  const report = (message) => editor.postMessage(message);

  const allHosts = () => [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);

  /** @param {HTMLElement} host */
  function placeOf(host) {
    const [id = '', index] = (host.getAttribute(attribute) ?? '').split(' ');
    return { id, index: Number(index) };
  }

  /** @param {string} id */
  const hostsOf = (id) => (hosts.get(id) ?? []).filter((host) => host !== undefined);

  /** @param {string} text */
  const collapse = (text) => text.replace(/[ \t\n\f\r]+/g, ' ');

  /** @param {HTMLElement} host */
  function contentOf(host) {
    const range = document.createRange();
    range.selectNodeContents(host);
    return range;
  }

  /**
   * Browsers put an element where a line ends, even into plain text.
   * @param {HTMLElement} host
   */
  function textOf(host) {
    const copy = contentOf(host).cloneContents();
    for (const end of copy.querySelectorAll('br')) end.replaceWith('\n');
    return copy.textContent ?? '';
  }

  /** @param {HTMLElement} host */
  const isEmpty = (host) => (host.textContent ?? '').trim() === '';

  /** @param {HTMLElement} host */
  const keepsLines = (host) => host.closest('pre, listing') !== null;

  function collect() {
    for (const host of allHosts()) {
      const { id, index } = placeOf(host);
      const all = hosts.get(id) ?? [];
      all[index] = host;
      hosts.set(id, all);
    }
  }

  function quiet() {
    const focusable = 'a, area, button, input, select, textarea, summary, [tabindex], audio, video';
    for (const element of document.querySelectorAll(focusable))
      if (element instanceof HTMLElement || element instanceof SVGElement || element instanceof MathMLElement)
        element.tabIndex = -1;
    for (const element of document.querySelectorAll('details')) element.open = true;
    for (const link of document.querySelectorAll('a, img')) if (link instanceof HTMLElement) link.draggable = false;
  }

  /** @param {LabelledText} text */
  function makeEditable({ id, texts, label }) {
    const all = hostsOf(id);
    const [first] = all;
    if (!first || all.length !== texts.length || hosts.get(id)?.length !== texts.length) return void hosts.delete(id);
    for (const [index, host] of all.entries()) {
      // Text that is edited as plain text shows all its white space. What a reader does not see goes first.
      if (getComputedStyle(host).whiteSpaceCollapse === 'collapse') show(host, texts[index] ?? '');
      host.contentEditable = 'plaintext-only';
      host.setAttribute('role', 'textbox');
      host.setAttribute('aria-label', texts.length === 1 ? label : `${label}, part ${index + 1} of ${texts.length}`);
      host.spellcheck = false;
      host.tabIndex = -1;
    }
    (all.find((host) => !isEmpty(host)) ?? first).tabIndex = 0;
  }

  /**
   * Only where it differs: a caret in an element is lost when its text is set.
   * @param {HTMLElement} host
   * @param {string} text
   */
  function show(host, text) {
    if (textOf(host) !== text) host.textContent = text;
  }

  /**
   * @param {string} id
   * @param {boolean} isChanged
   */
  function mark(id, isChanged) {
    for (const host of hostsOf(id)) host.toggleAttribute(`${attribute}-changed`, isChanged);
  }

  /** @param {Event} event */
  function hostOf({ target }) {
    const host = target instanceof Element ? target.closest(selector) : null;
    return host instanceof HTMLElement ? host : undefined;
  }

  /** @param {Event} event */
  function onInput(event) {
    const host = hostOf(event);
    if (!host) return;
    if (isEmpty(host)) host.replaceChildren();
    const { id } = placeOf(host);
    report({ type: 'edit', id, texts: hostsOf(id).map(textOf) });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const host = hostOf(event);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')
      return then(event, () => report({ type: 'save' }));
    if (!host) return;
    if (event.key === 'Enter' && !keepsLines(host)) return then(event, () => step(host, event.shiftKey ? -1 : 1));
    if (event.key === 'Escape') return then(event, () => report({ type: 'leave' }));
    if (event.key === ' ' && host.closest('button, summary')) return then(event, () => insert(' '));
    if (event.key === 'ArrowRight' && caret(host) === host.textContent?.length) moveWithin(event, host, 1);
    if (event.key === 'ArrowLeft' && caret(host) === 0) moveWithin(event, host, -1);
  }

  /**
   * @param {Event} event
   * @param {() => void} act
   */
  function then(event, act) {
    event.preventDefault();
    act();
  }

  /** @param {string} text */
  const insert = (text) => document.execCommand('insertText', false, text);

  /**
   * Moves to the next or previous text of the page.
   * @param {HTMLElement} host
   * @param {1 | -1} direction
   */
  function step(host, direction) {
    const stops = allHosts().filter((other) => other.tabIndex === 0);
    const own = stops.findIndex((other) => placeOf(other).id === placeOf(host).id);
    stops[own + direction]?.focus();
  }

  /**
   * Moves from one text between marks to its neighbour, as the caret would in one text.
   * @param {KeyboardEvent} event
   * @param {HTMLElement} host
   * @param {1 | -1} direction
   */
  function moveWithin(event, host, direction) {
    const { id, index } = placeOf(host);
    const next = hosts.get(id)?.[index + direction];
    if (!next || event.shiftKey) return;
    event.preventDefault();
    next.focus();
    const selection = getSelection();
    selection?.selectAllChildren(next);
    if (direction > 0) selection?.collapseToStart();
    else selection?.collapseToEnd();
  }

  /**
   * How many characters stand before the caret; undefined where there is none.
   * @param {HTMLElement} host
   */
  function caret(host) {
    const selection = getSelection();
    if (!selection?.isCollapsed || !selection.focusNode) return undefined;
    const range = contentOf(host);
    range.setEnd(selection.focusNode, selection.focusOffset);
    return range.toString().length;
  }

  /** @param {ClipboardEvent} event */
  function onPaste(event) {
    const host = hostOf(event);
    if (!host) return;
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    insert(keepsLines(host) ? text : collapse(text));
  }

  /** @param {InputEvent} event */
  function onBeforeInput(event) {
    const host = hostOf(event);
    if (!host) return;
    const breaks = event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak';
    if ((breaks && !keepsLines(host)) || event.inputType === 'insertFromDrop') event.preventDefault();
  }

  /** @param {string} id */
  function focus(id) {
    const host = hostsOf(id).find(({ tabIndex }) => tabIndex === 0);
    host?.scrollIntoView({ block: 'center' });
    host?.focus({ preventScroll: true });
  }

  /** @param {FrameCommand} command */
  function obey(command) {
    if (command.type === 'texts') {
      for (const text of command.all) makeEditable(text);
      report({ type: 'editable', ids: [...hosts.keys()] });
    } else if (command.type === 'set') {
      for (const [index, host] of hostsOf(command.id).entries()) show(host, command.texts[index] ?? '');
      mark(command.id, command.isChanged);
    } else if (command.type === 'changed') mark(command.id, command.isChanged);
    else focus(command.id);
  }

  function connect() {
    collect();
    quiet();
    editor.onmessage = (/** @type {MessageEvent<FrameCommand>} */ { data }) => obey(data);
    /** @type {FrameGreeting} */
    const greeting = { type: 'agent-editor-frame', digest };
    parent.postMessage(greeting, '*', [editorsEnd]);
    document.addEventListener('input', onInput, true);
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('paste', onPaste, true);
    document.addEventListener('beforeinput', onBeforeInput, true);
  }

  for (const type of ['click', 'auxclick', 'submit', 'dragstart', 'drop'])
    document.addEventListener(type, (event) => event.preventDefault(), true);
  document.addEventListener('DOMContentLoaded', connect, { once: true });
}
