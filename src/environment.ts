/**
 * A child process gets variables by name, never this process's whole environment: on Linux, others
 * of the same user may read a process's environment in /proc for as long as it runs.
 */

/**
 * What any program may need: where programs, folders and temporary files are, language and time
 * zone.
 */
export const usual = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'];

/** Proxies, in the spelling of most programs and in curl's. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const certificates = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'];
/** From where pip installs (https://pip.pypa.io/en/stable/topics/configuration). */
const pip = [
  'CONFIG_FILE',
  'INDEX_URL',
  'EXTRA_INDEX_URL',
  'NO_INDEX',
  'FIND_LINKS',
  'TRUSTED_HOST',
  'CACHE_DIR',
  'PROXY',
  'CERT',
  'CLIENT_CERT',
  'DEFAULT_TIMEOUT',
  'RETRIES',
].map((name) => `PIP_${name}`);

/** What programs need beside that to download Temporal's server. */
export const downloads = [
  ...proxies,
  ...proxies.map((name) => name.toLowerCase()),
  ...certificates,
  ...pip,
  'NODE_USE_ENV_PROXY',
  'XDG_CONFIG_HOME',
];

/** This process's variables of these names, so far as they are set. */
export const variables = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
