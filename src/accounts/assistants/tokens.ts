import { hash } from 'node:crypto';

/** How tokens begin, so that people and secret scanners recognize a leaked one. */
export const tokenPrefixes = { access: 'mcp_at_', refresh: 'mcp_rt_' };

/**
 * The SHA-256 of a token, as the database stores it. Salt and stretching are needless, because a
 * token has 182 random bits.
 */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const createTokenHash = (prefix: string) => {
  const tokenPattern = new RegExp(`^${prefix}([A-Za-z]{32})$`);
  return (tokenText: string): string | null => {
    const randomPart = tokenPattern.exec(tokenText)?.[1];
    return randomPart === undefined ? null : sha256(randomPart);
  };
};

/** The hash of an access token; null if the text does not have its format. */
export const hashOfAccessToken = createTokenHash(tokenPrefixes.access);
export const hashOfRefreshToken = createTokenHash(tokenPrefixes.refresh);
