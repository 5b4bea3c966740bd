/**
 * Copies a small view of a large buffer, so that a cache can keep it alone. Node.js cuts small
 * buffers from pools of 64 KB: a cached view of a pool keeps the whole pool in memory.
 */
export function ownMemory(content: Buffer): Buffer {
  if (content.length >= content.buffer.byteLength / 2) return content;
  const own = Buffer.allocUnsafeSlow(content.length);
  content.copy(own);
  return own;
}
