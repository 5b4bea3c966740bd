import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Maximum number of accounts in one browser's cookie. */
const MOST = 5;
const BETWEEN = '~';
const ID_LENGTH = 22;

/**
 * Known browsers: browsers in which an account has signed in before. They have limits of their own
 * for wrong passwords (signInLimits.ts). A signed cookie lists up to five accounts of a browser.
 */

/** A browser that is known for an account. */
export interface KnownBrowser {
  account: string;
  /** A random name of the browser for this account. Each sign-in makes a new one. */
  name: string;
}

/** The cookie that lists the accounts that have signed in in a browser. */
export interface KnownBrowsers {
  /** The entries of a cookie whose signature is valid. */
  read(cookie: string | undefined): KnownBrowser[];
  /**
   * The cookie's new value after a sign-in.
   * @param cookie its previous value
   */
  remember(account: string, cookie: string | undefined): string;
}

/** A hash of an e-mail address, which does not depend on whether there is an account for it. */
export const accountHash = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, ID_LENGTH);

/** @param secret key that signs the cookies */
export function createKnownBrowsers(secret: Buffer): KnownBrowsers {
  const writeEntry = ({ account, name }: KnownBrowser) => {
    const signature = createHmac('sha256', secret).update(`device ${account} ${name}`);
    return `${account}.${name}.${signature.digest('base64url')}`;
  };
  const readEntry = (entry: string): KnownBrowser[] => {
    const [account = '', name = ''] = entry.split('.', 2);
    return isEqualSignature(entry, writeEntry({ account, name })) ? [{ account, name }] : [];
  };
  const readCookie = (cookie = '') => cookie.split(BETWEEN, MOST).flatMap(readEntry);

  return {
    read: readCookie,
    remember(account, cookie) {
      const otherBrowsers = readCookie(cookie).filter(
        (knownBrowser) => knownBrowser.account !== account,
      );
      const name = randomBytes(16).toString('base64url');
      return [{ account, name }, ...otherBrowsers].slice(0, MOST).map(writeEntry).join(BETWEEN);
    },
  };
}

function isEqualSignature(givenEntry: string, expectedEntry: string): boolean {
  const [givenBytes, expectedBytes] = [Buffer.from(givenEntry), Buffer.from(expectedEntry)];
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}
