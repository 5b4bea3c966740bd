/**
 * Characters of a password. NIST SP 800-63B-4, section 3.1.1.2: at least 15 if the password is the
 * only factor, otherwise at least 8; verifiers should accept at least 64.
 */
export const passwordLength = { least: 12, most: 128 };
