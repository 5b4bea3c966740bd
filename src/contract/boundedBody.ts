/** A stream that passes a body on, and fails once the body has more than `most` bytes. */
export function boundedTo(most: number) {
  let read = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > most) controller.error(new Error(`The answer has more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
