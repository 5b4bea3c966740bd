import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';

// caches beside this file: node_modules is shared
export default defineConfig({
  site: 'https://walks.example',
  integrations: [mdx()],
  cacheDir: './.cache/astro',
  vite: { cacheDir: './.cache/vite' },
});
