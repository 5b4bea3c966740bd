// Loads the page into the frame and talks to it through one port. The framed page has an opaque
// origin, and any code may run in it, so its messages are checked here.

import type {
  EditableText,
  FrameCommand,
  FrameGreeting,
  FrameReport,
  TypedText,
} from '../protocol.ts';
import { frameUrl } from './api.ts';
import { labelOf } from './labels.ts';

/** The digest in a frame's first message; undefined for any other message. */
function digestIn(message: unknown): string | undefined {
  if (message === null || typeof message !== 'object') return undefined;
  const { type, digest } = message as Partial<Record<keyof FrameGreeting, unknown>>;
  return type === 'agent-editor-frame' && typeof digest === 'string' ? digest : undefined;
}

const areStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

type ReportFields = Partial<Record<'type' | 'id' | 'ids' | 'texts', unknown>>;

/**
 * A frame's report; undefined for any other message. Every field is checked, because any code may
 * run in the frame.
 */
function reportIn(message: unknown): FrameReport | undefined {
  if (message === null || typeof message !== 'object') return undefined;
  const { type, id, ids, texts } = message as ReportFields;
  if (type === 'save' || type === 'leave') return { type };
  if (type === 'editable' && areStrings(ids)) return { type, ids };
  if (type === 'edit' && typeof id === 'string' && areStrings(texts)) return { type, id, texts };
  return undefined;
}

interface FrameHandlers {
  /** The texts to edit; null if the frame shows another version of the page. */
  texts: (digest: string) => EditableText[] | null;
  /** Called with the ids of the texts that can be edited in place. */
  editable: (ids: Set<string>) => void;
  edit: (id: string, texts: string[]) => void;
  save: () => void;
  /** Called when the person leaves the page with Escape. The focus should return to the editor. */
  leave: () => void;
}

export function createFrame(element: HTMLIFrameElement, handlers: FrameHandlers) {
  let port: MessagePort | undefined;

  addEventListener('message', ({ source, data, ports }: MessageEvent<unknown>) => {
    const digest = digestIn(data);
    const [openedPort, ...otherPorts] = ports;
    if (
      source !== element.contentWindow ||
      digest === undefined ||
      !openedPort ||
      otherPorts.length > 0
    )
      return;
    port?.close();
    port = openedPort;
    port.onmessage = (event: MessageEvent<unknown>) => receiveReport(reportIn(event.data));
    const texts = handlers.texts(digest);
    if (texts)
      sendCommand({ type: 'texts', all: texts.map((text) => ({ ...text, label: labelOf(text) })) });
  });

  function receiveReport(report: FrameReport | undefined) {
    if (report?.type === 'editable') handlers.editable(new Set(report.ids));
    else if (report?.type === 'edit') handlers.edit(report.id, report.texts);
    else if (report?.type === 'save') handlers.save();
    else if (report?.type === 'leave') handlers.leave();
  }

  const sendCommand = (command: FrameCommand) => port?.postMessage(command);

  return {
    load() {
      port?.close();
      port = undefined;
      element.src = frameUrl();
    },
    set: (text: TypedText) => sendCommand({ type: 'set', ...text }),
    mark: ({ id, isChanged }: TypedText) => sendCommand({ type: 'changed', id, isChanged }),
    focus(id: string) {
      element.focus();
      sendCommand({ type: 'focus', id });
    },
  };
}
