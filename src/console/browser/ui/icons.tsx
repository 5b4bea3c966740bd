import type { JSX } from 'preact';

const iconPaths = {
  sites: 'M3 5h18v14H3zM3 9h18M7 7h.01M10 7h.01',
  tasks: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M12 6.5h8M12 12.5h8M12 18.5h8',
  callbacks: 'M4 12a8 8 0 0 1 14-5.3M20 4v4h-4M20 12a8 8 0 0 1-14 5.3M4 20v-4h4',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  shared: 'M12 15V4M8 7.5 12 3.5l4 4M5 13v6.5h14V13',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7',
  alert: 'M12 8v5M12 16.5h.01M12 3.5 2.5 20h19z',
  info: 'M12 11v5M12 8h.01M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  close: 'M6 6l12 12M18 6L6 18',
  chevrons: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  down: 'M7 10l5 5 5-5',
  out: 'M14 5h5v5M19 5l-8 8M18 14v5H5V6h5',
  branch:
    'M7 5v14M7 15c0-5 10-2 10-8M7 3.5a1.8 1.8 0 1 0 0 .1M17 5a1.8 1.8 0 1 0 0 .1M7 20.5a1.8 1.8 0 1 0 0 .1',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  words: 'M4 6h16M4 11h16M4 16h9',
  desktop: 'M3 5h18v11H3zM9 20h6M12 16v4',
  phone: 'M8 3h8v18H8zM11.5 18h1',
  key: 'M14.5 9.5a4 4 0 1 0-3.2 3.9L13 15h2v2h2v2h3v-3l-5.6-5.6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 20c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.3.7 3.5 2.6 3.5 5.5',
  exit: 'M10 5H5v14h5M14 8l4 4-4 4M18 12H9',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 16.5h14',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 1 0 0-14M16 16l4.5 4.5',
} as const;

export type IconName = keyof typeof iconPaths;

/** A picture beside words. Screen readers skip it. */
export function Icon({ name, size = 17 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
