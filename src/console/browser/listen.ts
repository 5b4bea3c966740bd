/**
 * Listens to events of the document.
 * @returns a function that stops listening
 */
export function listen(
  names: (keyof DocumentEventMap)[],
  listener: (event: Event) => void,
  options: AddEventListenerOptions = {},
): () => void {
  const ended = new AbortController();
  for (const name of names)
    document.addEventListener(name, listener, { ...options, signal: ended.signal });
  return () => ended.abort();
}
