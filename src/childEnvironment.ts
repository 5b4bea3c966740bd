/**
 * A child process gets variables by name, never this process's whole environment: on Linux, others
 * of the same user may read a process's environment in /proc for as long as it runs.
 */

/**
 * Variables for any program: paths of programs, home and temporary files, language, and time zone.
 */
export const usualVariables = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'];

/** Settings of proxies. `downloadVariables` also has them in lower case, as curl reads them. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const certificateVariables = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
];
/** Variables for pip's package index (https://pip.pypa.io/en/stable/topics/configuration). */
const pipVariables = [
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

/** Additional variables for downloading Temporal's server. */
export const downloadVariables = [
  ...proxyVariables,
  ...proxyVariables.map((name) => name.toLowerCase()),
  ...certificateVariables,
  ...pipVariables,
  'NODE_USE_ENV_PROXY',
  'XDG_CONFIG_HOME',
];

/** The variables of these names that are set in this process. */
export const pickVariables = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
