/** Suffixes of copies and backups, which are removed before a name is checked. */
const copySuffix = /(?:~|\.(?:bak|backup|old|orig|save|sav|swp|copy|\d+))+$/

const template = /(?:^|[._-])(?:example|sample|template)(?:[._-]|$)/

/** `.env` and its variants, such as `prod.env`. */
const environmentFile = /^\.env(?:[._-].*|rc)?$|\.env$/

/** Names of files with keys, passwords or logins, in any folder. */
const keyFile = new RegExp(
  [
    String.raw`^(?:.*[._-])?id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:[._-].*)?(?<!\.pub)$`,
    String.raw`\.(?:pem|key|p12|pfx|p8|pkcs12|jks|jceks|bks|keystore|ppk|kdbx?|keytab|ovpn|agekey|kubeconfig)$`,
    String.raw`\.tfstate(?:\..*)?$|\.tfvars(?:\.json)?$`,
    String.raw`^[._](?:npmrc|netrc|pypirc|htpasswd|pgpass|s3cfg|boto|dockercfg|terraformrc|authinfo|fetchmailrc|msmtprc|mbsyncrc)(?:\.gpg)?$`,
    String.raw`^\.(?:git-credentials|my\.cnf|mylogin\.cnf|vault-token|smbcredentials|databrickscfg|gem-credentials)$`,
    String.raw`^\.dev\.vars(?:\..+)?$|^(?:local\.settings|sftp(?:-config)?)\.json$|^\.ftpconfig$|^pgpass\.conf$`,
    String.raw`^(?:kubeconfig|htpasswd|passwd|shadow|terraform\.rc|rclone\.conf|wallet\.dat|oauth_creds\.json)$`,
    String.raw`^\.\w+_history$|^\.?vault[_-]?pass(?:word)?(?:\.txt)?$`,
    String.raw`^\.?passwords?(?:\.(?:txt|csv|json|ya?ml|ini|xlsx?))?$`,
    String.raw`^\.?(?:api|auth|access|private|github|gitlab|npm|openai|anthropic)[_-]?(?:key|token)s?(?:\.txt)?$`,
  ].join('|'),
)

const keyWord = /(?:^|[._-])(?:credentials?|secrets?)(?:[._-]|$)|^credentials|service[_-]?account.*\.json$/

/** Code and prose named after keys are mostly about keys. */
const codeOrProse =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|exs?|lua|dart|jl|hs|clj|erl|fs|pl|pm|sh|bash|zsh|ps1|bat|gradle|tf|vue|svelte|html?|css|scss|md|mdx|rst|adoc|sql|ipynb)$/

/** Code with exactly this name mostly contains keys. */
const secretCode = /^(?:arduino_)?(?:credentials|secrets)\.(?!(?:mdx?|rst|adoc|html?)$)\w+$/

const keyFolder = /^\.(?:aws|ssh|gnupg|kube|azure|gcloud|oci|password-store)$/
const secretFolder = /^\.?(?:secrets|credentials)$/
const publicFile = /^(?:\.git(?:ignore|keep|attributes)|makefile|dockerfile|readme|license|copying)$/

/** Login files of programs, by their path in a home folder. */
const keyPlace = /(?:^|\/)\.(?:docker\/config\.json|codex\/auth\.json|config\/(?:gcloud|gh|hub)(?:\/.*)?)$/

/** Whether the name of a file suggests keys, passwords or logins. The path is relative. */
export function isKeyFile(path: string): boolean {
  const lower = path.toLowerCase()
  const parts = lower.split('/')
  const name = (parts.at(-1) ?? '').replace(copySuffix, '')
  if (keyPlace.test(lower)) return true
  if (template.test(name)) return false
  if (environmentFile.test(name) || keyFile.test(name) || secretCode.test(name)) return true
  if (codeOrProse.test(name) || publicFile.test(name)) return false
  return keyWord.test(name) || parts.slice(0, -1).some((folder) => secretFolder.test(folder))
}

/** Whether programs keep keys and logins in this folder. */
export function isKeyFolder(path: string): boolean {
  const lower = path.toLowerCase()
  const name = lower.split('/').at(-1) ?? ''
  return keyFolder.test(name) || keyPlace.test(lower) || (environmentFile.test(name) && !template.test(name))
}
