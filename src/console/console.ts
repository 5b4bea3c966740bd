import { buildPage } from '../bundle/bundle.ts';

const file = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/** The console's one page: the same for every address and everyone. */
export const buildConsole = () =>
  buildPage(file('index.html'), '/console/', {
    main: file('main.tsx'),
    style: file('styles/style.css'),
  });
