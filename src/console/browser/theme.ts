const REMEMBERED = 'theme';

export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(REMEMBERED);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies a theme and remembers it. `system` follows the system's setting. */
export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem(REMEMBERED);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(REMEMBERED, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
