/** Pages that try to take the focus from the page around them, to get what is typed there. */
export interface Thief {
  name: string;
  /** What is in the page's body. */
  body: string;
  /** Header fields of the page's answer. */
  headers?: Record<string, string>;
  /** Of the page's answer. */
  status?: number;
}

const field = '<input id="x" tabindex="0"><p id="y" tabindex="-1" contenteditable>y</p>';
/** Tells the server of keys that arrive, and that the scripts have begun. */
const spy = `
  const tell = (what) => fetch('/' + what, { mode: 'no-cors' });
  addEventListener('keydown', ({ key }) => tell('stolen/' + encodeURIComponent(key)), true);
  addEventListener('beforeinput', ({ data }) => tell('stolen/' + encodeURIComponent(data)), true);
  tell('began');
  const x = document.getElementById('x');`;
const script = (text: string, body = field) => `${body}<script>${spy}${text}</script>`;
const every = (ms: number, text: string, body?: string) =>
  script(`setInterval(() => { ${text} }, ${ms});`, body);

/** Pages that do it by scripts. */
export const scripted: Thief[] = [
  {
    name: 'a field and the window, in an interval',
    body: every(200, 'x.focus(); window.focus();'),
  },
  { name: 'a field, a thousand times a second', body: every(1, 'window.focus(); x.focus();') },
  {
    name: 'a dialog, shown again and again',
    body: every(
      50,
      'd.close(); d.showModal(); p.hidePopover(); p.showPopover();',
      '<dialog id="d"><input id="x" autofocus></dialog><div popover id="p"><input autofocus></div>',
    ),
  },
  {
    name: 'its own address, again and again',
    body: script(`x.focus(); onbeforeunload = (event) => event.preventDefault();
      setTimeout(() => { location.href = location.pathname + '?' + Math.random() + '#x'; }, 150);`),
  },
  {
    name: 'a frame in it',
    body: every(
      100,
      'f.focus(); f.contentWindow.focus();',
      `<input id="x"><iframe id="f" src="/inner"></iframe>`,
    ),
  },
];

const inAttribute = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;

/** Pages that do it without any script. */
export const scriptless: Thief[] = [
  ...[
    '<input id="x" autofocus>',
    '<p id="x" contenteditable autofocus>x</p>',
    '<dialog id="x" open autofocus><input autofocus></dialog>',
    '<div popover="manual" id="x"><input autofocus></div><input autofocus>',
    '<object data="/inner" width="300" height="100"></object>',
    '<iframe src="/inner#x"></iframe>',
    `<iframe srcdoc="${inAttribute(`<input autofocus>${script('x.focus()')}`)}"></iframe>`,
  ].map((body) => ({ name: body, body })),
  ...['0;url=#x', '0;url=?again#x', '0;url=javascript:x.focus()'].map((content) => ({
    name: `a refresh to ${content}`,
    body: refresh(content) + field,
  })),
  { name: 'a refresh of the header', body: field, headers: { Refresh: '0;url=/inner#x' } },
  { name: 'a redirect to a fragment', body: '', headers: { Location: '/inner#x' }, status: 302 },
  {
    name: 'a picture with a field',
    headers: { 'Content-Type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="99" height="99">
      <input xmlns="http://www.w3.org/1999/xhtml" autofocus="autofocus"/></foreignObject></svg>`,
  },
  {
    name: 'events that run scripts',
    body: `<img src="/none" onerror="x.focus()"><body onload="x.focus()">${field}
      <svg onload="x.focus()"></svg><input onfocus="x.focus()" autofocus>`,
  },
];

/** What stands in frames, objects and redirects of the others. */
export const inner = `<!doctype html><input id="x" tabindex="0" autofocus>${script('x.focus(); window.focus();', '')}`;
