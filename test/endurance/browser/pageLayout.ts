import type { Page } from 'playwright-core';

/** What a person sees of a page. */
export interface PageLayout {
  text: string;
  width: number;
  /** Heights of the shown elements with a text, by the tags and classes that lead to them. */
  heights: Record<string, number[]>;
  /** The elements that show nothing, by the same. */
  empty: string[];
}

const measure = `(() => {
  const pathOf = (element) => element === document.body ? '' :
    pathOf(element.parentElement) + '>' + [element.localName, ...element.classList].join('.');
  const shown = [...document.body.querySelectorAll('h1,h2,h3,h4,h5,h6,p,li,a,button,td,blockquote,span,small,label')]
    .filter((element) => element.checkVisibility());
  const heights = {}, empty = [];
  for (const element of shown) {
    const path = pathOf(element);
    if (element.textContent.trim() || element.querySelector('img,svg,i,input'))
      (heights[path] ??= []).push(element.getBoundingClientRect().height);
    else empty.push(path);
  }
  return { text: document.title + '\\n' + document.body.innerText, width: document.documentElement.scrollWidth, heights, empty };
})()`;

export const measureLayout = (page: Page) => page.evaluate<PageLayout>(measure);
