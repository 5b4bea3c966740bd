import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export type ScreenLink = [href: string, text: string];

interface PageProps {
  title: string;
  /** Links to the pages above this one. */
  crumbs?: ScreenLink[];
  facts?: ComponentChildren;
  actions?: ComponentChildren;
  full?: boolean;
  children: ComponentChildren;
}

/**
 * The frame of a screen, with its title. The title gets the focus when the screen opens, so that
 * screen readers say where the person is.
 */
export function Page({ title, crumbs = [], facts, actions, full, children }: PageProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    headingRef.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <div class={full ? 'page full' : 'page'}>
      <header class="page-head">
        <div>
          {crumbs.length > 0 && (
            <nav class="crumbs" aria-label="You are in">
              {crumbs.map(([href, linkText]) => (
                <span key={href}>
                  <a href={href}>{linkText}</a> /
                </span>
              ))}
            </nav>
          )}
          <h1 ref={headingRef} tabIndex={-1}>
            {title}
          </h1>
          {facts && <div class="facts">{facts}</div>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface TabsProps {
  label: string;
  /** The path of the tab that is shown. */
  current: string;
  tabs: ScreenLink[];
}

export const Tabs = ({ label, current, tabs }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(([href, tabText]) => (
      <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
        {tabText}
      </a>
    ))}
  </nav>
);
