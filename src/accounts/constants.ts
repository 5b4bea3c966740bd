/** The header field in which our own requests to better-auth carry the client's address. */
export const ADDRESS_HEADER = 'x-agent-tasks-address';
/**
 * NIST SP 800-63B-4, section 3.1.1.2, wants 15 characters where nothing else protects, 8 otherwise,
 * and 64 to be taken.
 */
export const passwordLength = { least: 12, most: 128 };
