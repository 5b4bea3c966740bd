// The framed page. It has an origin of its own: all that passes between it and the editor goes through one port, and is checked here.

import { frameUrl } from './api.js';
import { labelOf } from './labels.js';

/**
 * @param {HTMLIFrameElement} element
 * @param {object} handlers
 * @param {(digest: string) => object[] | null} handlers.texts the texts to edit, null where the frame shows another version of the page
 * @param {(ids: Set<string>) => void} handlers.editable told which texts can be edited in place
 * @param {(id: string, texts: string[]) => boolean} handlers.edit
 * @param {(id: string) => void} handlers.focus
 * @param {() => void} handlers.save
 * @param {() => void} handlers.leave told where somebody wants out of the page
 */
export function createFrame(element, handlers) {
  let port;

  addEventListener('message', ({ source, data, ports }) => {
    if (source !== element.contentWindow || data?.type !== 'agent-editor-frame' || ports.length !== 1) return;
    port?.close();
    port = ports[0];
    port.onmessage = (event) => receive(event.data);
    const texts = handlers.texts(String(data.digest));
    if (texts) send({ type: 'texts', all: texts.map((text) => ({ ...text, label: labelOf(text) })) });
  });

  function receive(message) {
    if (message === null || typeof message !== 'object') return;
    const { type, id, ids, texts } = message;
    if (type === 'editable' && Array.isArray(ids)) handlers.editable(new Set(ids.map(String)));
    else if (type === 'edit' && typeof id === 'string') handlers.edit(id, texts);
    else if (type === 'focus' && typeof id === 'string') handlers.focus(id);
    else if (type === 'save') handlers.save();
    else if (type === 'leave') handlers.leave();
  }

  const send = (message) => port?.postMessage(message);

  return {
    load() {
      port?.close();
      port = undefined;
      element.src = frameUrl();
    },
    set: (id, texts, isChanged) => send({ type: 'set', id, texts, isChanged }),
    mark: (id, isChanged) => send({ type: 'changed', id, isChanged }),
    focus(id) {
      element.focus();
      send({ type: 'focus', id });
    },
  };
}
