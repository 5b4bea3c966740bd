/** Why only people may change such a file, for messages. */
export const PROOF_FILE_REASON =
  'the file proves who owns the site, so a task cannot create, change or delete it';

/** Names of files that search engines and platforms request to verify a site's owner. */
const proofFileNames = [
  /^google[0-9a-f]{8,}$/,
  /^yandex_[0-9a-f]{8,}$/,
  /^pinterest-(?=[a-f]*\d)[0-9a-f]{4,8}$/,
  /^naver[0-9a-f]{16,}$/,
  /^baidu_verify_/,
  /^(?:y_key|mywot|ahrefs|loaderio)[_-]?[0-9a-f]{8,}$/,
  /^norton_[\w-]*\d/,
  /^seznam-wmt-/,
  /^alexaverify/,
  /^(?:bing|livesearch)siteauth$/,
  /^(?:zohoverify|verifyforzoho)$/,
  /^(?:[a-z]{1,20}-)?(?:site|domain)-?verification$/,
];

/**
 * Whether a file proves who owns the site, by its name, even if it looks like a page.
 * @param path relative to the site's root
 */
export const isProofFile = (path: string): boolean =>
  path
    .toLowerCase()
    .split('/')
    .some((segment) =>
      proofFileNames.some((pattern) => pattern.test(segment.replace(/\.[a-z]{1,5}$/, ''))),
    );
