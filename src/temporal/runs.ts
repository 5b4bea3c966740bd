/**
 * Where a task's run is in Temporal's web UI.
 * @param uiUrl the UI's address; its path is kept. undefined: nobody is told where it is
 * @returns gives the address for a taskId; null without a UI
 */
export function createRunAddress(uiUrl: string | undefined, namespace: string): (taskId: string) => string | null {
  if (uiUrl === undefined) return () => null;
  const base = uiUrl.endsWith('/') ? uiUrl : `${uiUrl}/`;
  const inNamespace = new URL(`namespaces/${encodeURIComponent(namespace)}/workflows/`, base);
  return (taskId) => new URL(encodeURIComponent(taskId), inNamespace).href;
}
