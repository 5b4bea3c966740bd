/** The URL at which people edit a page of a task's result by hand. */
export const editUrl = (publicUrl: URL, taskId: string, slug: string): URL =>
  new URL(`/edit/${taskId}${slug.split('/').map(encodeURIComponent).join('/')}`, publicUrl);
