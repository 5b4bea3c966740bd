import { getCollection } from 'astro:content';

export async function GET({ site }) {
  const posts = await getCollection('blog');
  const paths = ['/', '/about/', ...posts.map(({ id }) => `/blog/${id}/`)];
  const urls = paths.map((path) => `<url><loc>${new URL(path, site)}</loc></url>`);
  return new Response(`<urlset>${urls.join('')}</urlset>`);
}
