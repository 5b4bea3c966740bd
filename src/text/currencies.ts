/** ISO 4217 codes of the currencies that a sign or a word may mean, the most usual one first. */
const SIGNS: Record<string, string> = {
  $: 'USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD',
  '€': 'EUR',
  '£': 'GBP EGP',
  '¥': 'JPY CNY',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  '₫': 'VND',
  '₦': 'NGN',
  '₱': 'PHP',
  '฿': 'THB',
  US$: 'USD',
  C$: 'CAD',
  CA$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  S$: 'SGD',
  HK$: 'HKD',
  NT$: 'TWD',
  MX$: 'MXN',
  R$: 'BRL',
  KR: 'SEK NOK DKK ISK',
  KRONOR: 'SEK',
  KRONER: 'NOK DKK',
  RS: 'INR PKR',
  FR: 'CHF',
  ZŁ: 'PLN',
  KČ: 'CZK',
  FT: 'HUF',
  LEI: 'RON',
  ЛВ: 'BGN',
  РУБ: 'RUB',
  DOLLAR: 'USD CAD AUD NZD SGD HKD',
  DOLLARS: 'USD CAD AUD NZD SGD HKD',
  EURO: 'EUR',
  EUROS: 'EUR',
  POUNDS: 'GBP',
};

const CODES = new Set(Intl.supportedValuesOf('currency'));

/** Signs of several currencies that mean the first of them if nothing else is known. */
const USUAL = new Set(['$', '¥', '£', 'DOLLAR', 'DOLLARS']);

/**
 * The codes of the currencies that a sign, word or code may mean: `kr.` → SEK, NOK, DKK, ISK. None
 * for an unknown one.
 * @param sign without a number: `€`, `kr.`, `USD`
 */
export function currencyCodes(sign: string): string[] {
  const normalizedSign = sign.replace(/[\s.]/g, '').toUpperCase();
  if (Object.hasOwn(SIGNS, normalizedSign)) return SIGNS[normalizedSign]!.split(' ');
  return CODES.has(normalizedSign) ? [normalizedSign] : [];
}

/**
 * The code of a price's currency after the price was written with another sign: `£` after `EUR` →
 * `GBP`, but `$` after `CAD` → `CAD`.
 * @param code the code that the price had
 * @returns `code` if the sign may mean it, or if nothing says which currency the sign means
 */
export function currencyAfter(sign: string, code: string): string {
  const codes = currencyCodes(sign);
  const isClear = codes.length === 1 || USUAL.has(sign.toUpperCase());
  return isClear && !codes.includes(code) ? codes[0]! : code;
}
