/** The path of a value in data as text: `cards[0].title`. */
export const pathText = (path: (string | number)[]): string =>
  path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join('');
