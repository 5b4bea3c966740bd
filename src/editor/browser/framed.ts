// Runs inside the framed page, in an opaque origin. Makes the marked texts editable, and reports to
// the editor. A text consists of parts, which are separated by inline tags. The element that holds
// one part is called its host here.

import type { FrameCommand, FrameGreeting, FrameReport, LabelledText } from '../protocol.ts';

const { attribute = '', digest = '' } = (document.currentScript?.dataset ?? {}) as {
  attribute?: string;
  digest?: string;
};
const selector = `[${attribute}]`;
/** The hosts of each text, by the text's id. */
const hosts = new Map<string, (HTMLElement | undefined)[]>();
const { port1: editor, port2: editorPort } = new MessageChannel();

/** Options of a listener that runs before any listener of the page. */
const captureOptions = { capture: true };

const sendReport = (message: FrameReport) => editor.postMessage(message);

const allHosts = () =>
  [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);

function textPartOf(host: HTMLElement) {
  const [id = '', index] = (host.getAttribute(attribute) ?? '').split(' ');
  return { id, index: Number(index) };
}

const hostsOf = (id: string) => (hosts.get(id) ?? []).filter((host) => host !== undefined);

const collapseSpaces = (text: string) => text.replace(/[ \t\n\f\r]+/g, ' ');

function contentRange(host: HTMLElement) {
  const range = document.createRange();
  range.selectNodeContents(host);
  return range;
}

/** An element's text. Browsers end lines with `<br>`, even in plain text. */
function hostText(host: HTMLElement) {
  const copy = contentRange(host).cloneContents();
  for (const lineBreak of copy.querySelectorAll('br')) lineBreak.replaceWith('\n');
  return copy.textContent ?? '';
}

const isEmptyHost = (host: HTMLElement) => (host.textContent ?? '').trim() === '';

const keepsLines = (host: HTMLElement) => host.closest('pre, listing') !== null;

function collectHosts() {
  for (const host of allHosts()) {
    const { id, index } = textPartOf(host);
    const textHosts = hosts.get(id) ?? [];
    textHosts[index] = host;
    hosts.set(id, textHosts);
  }
}

function disableInteraction() {
  const focusable = 'a, area, button, input, select, textarea, summary, [tabindex], audio, video';
  for (const element of document.querySelectorAll<HTMLElement>(focusable)) element.tabIndex = -1;
  for (const element of document.querySelectorAll('details')) element.open = true;
  for (const link of document.querySelectorAll<HTMLElement>('a, img')) link.draggable = false;
}

function makeEditable({ id, texts, label }: LabelledText) {
  const textHosts = hostsOf(id);
  const [firstHost] = textHosts;
  if (!firstHost || textHosts.length !== texts.length || hosts.get(id)?.length !== texts.length)
    return void hosts.delete(id);
  for (const [index, host] of textHosts.entries()) {
    // Plain-text editing shows all white space, so white space that readers do not see is removed
    // first.
    if (getComputedStyle(host).whiteSpaceCollapse === 'collapse')
      setHostText(host, texts[index] ?? '');
    host.contentEditable = 'plaintext-only';
    host.setAttribute('role', 'textbox');
    host.setAttribute(
      'aria-label',
      texts.length === 1 ? label : `${label}, part ${index + 1} of ${texts.length}`,
    );
    host.spellcheck = false;
    host.tabIndex = -1;
  }
  (textHosts.find((host) => !isEmptyHost(host)) ?? firstHost).tabIndex = 0;
}

/** Sets the text only if it differs, because setting it loses the caret. */
function setHostText(host: HTMLElement, text: string) {
  if (hostText(host) !== text) host.textContent = text;
}

function markChanged(id: string, isChanged: boolean) {
  for (const host of hostsOf(id)) host.toggleAttribute(`${attribute}-changed`, isChanged);
}

function hostOfEvent({ target }: Event) {
  const host = target instanceof Element ? target.closest(selector) : null;
  return host instanceof HTMLElement ? host : undefined;
}

function onInput(event: Event) {
  const host = hostOfEvent(event);
  if (!host) return;
  if (isEmptyHost(host)) host.replaceChildren();
  const { id } = textPartOf(host);
  sendReport({ type: 'edit', id, texts: hostsOf(id).map(hostText) });
}

function onKey(event: KeyboardEvent) {
  const host = hostOfEvent(event);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's')
    return handleInstead(event, () => sendReport({ type: 'save' }));
  if (!host) return;
  if (event.key === 'Enter' && !keepsLines(host))
    return handleInstead(event, () => moveToNeighbor(host, event.shiftKey ? -1 : 1));
  if (event.key === 'Escape') return handleInstead(event, () => sendReport({ type: 'leave' }));
  if (event.key === ' ' && host.closest('button, summary'))
    return handleInstead(event, () => insertText(' '));
  if (event.key === 'ArrowRight' && caretPosition(host) === host.textContent?.length)
    moveWithinText(event, host, 1);
  if (event.key === 'ArrowLeft' && caretPosition(host) === 0) moveWithinText(event, host, -1);
}

function handleInstead(event: Event, action: () => void) {
  event.preventDefault();
  action();
}

const insertText = (text: string) => document.execCommand('insertText', false, text);

/** Moves to the next or previous text of the page. */
function moveToNeighbor(host: HTMLElement, direction: 1 | -1) {
  const stops = allHosts().filter((candidate) => candidate.tabIndex === 0);
  const hostIndex = stops.findIndex(
    (candidate) => textPartOf(candidate).id === textPartOf(host).id,
  );
  stops[hostIndex + direction]?.focus();
}

/** Moves the caret from one part of a text to the next, as if no inline tags were between them. */
function moveWithinText(event: KeyboardEvent, host: HTMLElement, direction: 1 | -1) {
  const { id, index } = textPartOf(host);
  const nextHost = hosts.get(id)?.[index + direction];
  if (!nextHost || event.shiftKey) return;
  event.preventDefault();
  nextHost.focus();
  const selection = getSelection();
  selection?.selectAllChildren(nextHost);
  if (direction > 0) selection?.collapseToStart();
  else selection?.collapseToEnd();
}

/** How many characters are before the caret; undefined if there is no caret. */
function caretPosition(host: HTMLElement): number | undefined {
  const selection = getSelection();
  if (!selection?.isCollapsed || !selection.focusNode) return undefined;
  const range = contentRange(host);
  range.setEnd(selection.focusNode, selection.focusOffset);
  return range.toString().length;
}

function onPaste(event: ClipboardEvent) {
  const host = hostOfEvent(event);
  if (!host) return;
  event.preventDefault();
  const text = event.clipboardData?.getData('text/plain') ?? '';
  insertText(keepsLines(host) ? text : collapseSpaces(text));
}

function onBeforeInput(event: InputEvent) {
  const host = hostOfEvent(event);
  if (!host) return;
  const breaksLine = event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak';
  if ((breaksLine && !keepsLines(host)) || event.inputType === 'insertFromDrop')
    event.preventDefault();
}

function focusText(id: string) {
  const host = hostsOf(id).find(({ tabIndex }) => tabIndex === 0);
  host?.scrollIntoView({ block: 'center' });
  host?.focus({ preventScroll: true });
}

function runCommand(command: FrameCommand) {
  if (command.type === 'texts') {
    for (const text of command.all) makeEditable(text);
    sendReport({ type: 'editable', ids: [...hosts.keys()] });
  } else if (command.type === 'set') {
    for (const [index, host] of hostsOf(command.id).entries())
      setHostText(host, command.texts[index] ?? '');
    markChanged(command.id, command.isChanged);
  } else if (command.type === 'changed') markChanged(command.id, command.isChanged);
  else focusText(command.id);
}

function connectToEditor() {
  collectHosts();
  disableInteraction();
  editor.onmessage = ({ data }: MessageEvent<FrameCommand>) => runCommand(data);
  const greeting: FrameGreeting = { type: 'agent-editor-frame', digest };
  parent.postMessage(greeting, '*', [editorPort]);
  document.addEventListener('input', onInput, captureOptions);
  document.addEventListener('keydown', onKey, captureOptions);
  document.addEventListener('paste', onPaste, captureOptions);
  document.addEventListener('beforeinput', onBeforeInput, captureOptions);
}

for (const type of ['click', 'auxclick', 'submit', 'dragstart', 'drop'])
  document.addEventListener(type, (event) => event.preventDefault(), captureOptions);
document.addEventListener('DOMContentLoaded', connectToEditor, { once: true });
