const REMEMBERED = 'theme';

export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(REMEMBERED);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Light or dark as the system has it, unless the person chose. */
export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem(REMEMBERED);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(REMEMBERED, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
