/**
 * Makes bytes of a text as old programs save it: by asking `TextDecoder` what each byte, or each
 * pair, stands for.
 */
export function encode(text: string, label: string): Uint8Array<ArrayBuffer> {
  if (label.startsWith('utf-16')) return utf16(text, label === 'utf-16le');
  const table = tableOf(label);
  const bytes = [...text].map((sign) => table.get(sign));
  const missing = [...text].find((_, at) => !bytes[at]);
  if (missing !== undefined) throw new Error(`${label} has no ${missing}`);
  return Uint8Array.from(bytes.flatMap((each) => each!));
}

const tables = new Map<string, Map<string, number[]>>();

function tableOf(label: string): Map<string, number[]> {
  const known = tables.get(label);
  if (known) return known;
  const table = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    const sign = decoded(bytes, label);
    if (sign !== undefined && !table.has(sign)) table.set(sign, bytes);
  };
  for (let first = 0; first < 256; first++) add([first]);
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add([first, second]);
  tables.set(label, table);
  return table;
}

/** The one character that bytes stand for. */
function decoded(bytes: number[], label: string): string | undefined {
  try {
    const signs = [...new TextDecoder(label, { fatal: true }).decode(Uint8Array.from(bytes))];
    return signs.length === 1 ? signs[0] : undefined;
  } catch {
    return undefined;
  }
}

function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}
