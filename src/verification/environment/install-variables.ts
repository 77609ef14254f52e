/** Names of variables, in upper case, that say where packages come from and how the network is reached. */
const INSTALL_VARIABLES = [
  /^(?:HTTPS?|ALL|NO|FTP)_PROXY$/,
  /^(?:NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(?:FILE|DIR)|NIX_SSL_CERT_FILE|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|GIT_SSL_CAINFO)$/,
  /^NPM_CONFIG_(?:REGISTRY|PROXY|HTTPS_PROXY|NOPROXY|CAFILE|CA|STRICT_SSL|.+:REGISTRY|\/\/.+:_AUTH(?:TOKEN)?)$/,
  /^(?:NPM_TOKEN|NODE_AUTH_TOKEN|COREPACK_NPM_(?:REGISTRY|TOKEN|USERNAME|PASSWORD))$/,
  /^YARN_(?:REGISTRY|NPM_REGISTRY_SERVER|NPM_AUTH_TOKEN|NPM_AUTH_IDENT|HTTPS?_PROXY|HTTPS_CA_FILE_PATH|ENABLE_STRICT_SSL)$/,
  /^PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|FIND_LINKS|NO_INDEX|CERT|CLIENT_CERT|PROXY|DEFAULT_TIMEOUT|RETRIES)$/,
  /^UV_(?:INDEX|DEFAULT_INDEX|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|NO_INDEX|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|INDEX_.+_(?:USERNAME|PASSWORD))$/,
  /^POETRY_(?:HTTP_BASIC_.+|PYPI_TOKEN_.+|REPOSITORIES_.+_URL|CERTIFICATES_.+)$/,
  /^(?:GOPROXY|GOPRIVATE|GONOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|GOAUTH)$/,
  /^CARGO_(?:REGISTRIES_.+_(?:INDEX|TOKEN)|REGISTRY_TOKEN|HTTP_(?:PROXY|CAINFO|CHECK_REVOKE)|NET_(?:OFFLINE|RETRY))$/,
  /^(?:BUNDLE_MIRROR__.+|GEM_HOST_API_KEY|MAVEN_REPO_URL)$/,
];

/** Those of GuardKit's environment that a set-up may have; nothing among them names code to load. */
export function installVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const isInstalls = (name: string) => INSTALL_VARIABLES.some((names) => names.test(name.toUpperCase()));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isInstalls(entry[0]),
    ),
  );
}
