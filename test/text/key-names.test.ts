import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/base/package-root.ts'
import { isKeyFile, isKeyFolder } from '../../src/text/key-names.ts'
import { findKeyText } from '../../src/text/key-text.ts'

const words = (text: string) => text.trim().split(/\s+/)

describe('the name of a key', () => {
  it.each(
    words(`
    .env .env.local .env.production .ENV .Env.Test prod.env deploy/.env.ci .envrc .env-prod .env.bak .env~ .env.swp
    id_rsa id_dsa id_ecdsa id_ed25519 ID_RSA id_rsa.bak id_rsa_work deploy_id_rsa .ssh/id_ed25519 id_ed25519_sk
    server.pem server.PEM tls.key client.p12 cert.pfx AuthKey_123.p8 store.jks app.keystore putty.ppk db.kdbx
    server.key.old a.pem.bak krb5.keytab vpn.ovpn terraform.tfstate terraform.tfstate.backup terraform.tfstate.d prod.tfvars
    .npmrc .netrc _netrc .pypirc .htpasswd .pgpass .s3cfg .dockercfg .terraformrc .git-credentials .my.cnf .vault-token
    sub/.npmrc .authinfo.gpg htpasswd passwd shadow kubeconfig prod.kubeconfig rclone.conf wallet.dat .bash_history
    credentials credentials.json credentials.yml credentials.yml.enc Credentials.CSV credentials-prod.json
    secrets.yaml secrets.json secrets.toml secrets.py secrets.ts arduino_secrets.h secret.txt app.secrets.yaml
    aws-credentials.ini google-credentials.json client_secret_12.apps.json my-service-account.json serviceAccountKey.json
    service_account.json secrets/db_password config/secrets/prod.yaml .secrets/token passwords.txt api_key.txt .apikey
    .dev.vars .dev.vars.production local.settings.json .vscode/sftp.json .ftpconfig .streamlit/secrets.toml app.secret
    github_token auth-token.txt .docker/config.json home/.docker/config.json .config/gh/hosts.yml .codex/auth.json
  `),
  )('matches %s', (path) => {
    expect(isKeyFile(path)).toBe(true)
  })

  it.each(
    words(`
    .env.example .env.sample .env.template .env.local.example .ENV.EXAMPLE example.env secrets.example.yaml
    credentials.sample.json .npmrc.template id_rsa.pub deploy_id_ed25519.pub server.crt ca.cer
    env.ts vite-env.d.ts environment.yaml src/env/index.ts keys.ts key.ts keyboard.json monkey.json tokens.json tokens.css
    src/secrets/vault.go src/run-secrets.ts docs/secrets.md secrets.test.ts CredentialsProvider.java credentials-form.tsx
    client_credentials.py credentials_test.go secretary.json package.json package-lock.json .gitignore .editorconfig
    history.md api_key.rb passwords.ts password-reset.html turkey.txt .yarnrc.yml docker/config.json config.json
    credential/Makefile terraform.tf main.tf notes.txt .ssh.md keynote.txt secrets/README
  `),
  )('does not match %s', (path) => {
    expect(isKeyFile(path)).toBe(false)
  })

  it.each(words('.aws .ssh .gnupg .kube .azure home/.SSH .config/gcloud .env .password-store'))(
    'can be the name of a folder: %s',
    (path) => {
      expect(isKeyFolder(path)).toBe(true)
    },
  )

  it.each(words('src .github .vscode .config aws kube env secrets .env.example'))(
    'does not include the folder %s',
    (path) => {
      expect(isKeyFolder(path)).toBe(false)
    },
  )
})

// The keys are built here, so that no file of this repository contains one.
const letters = 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW'
const some = (length: number) => letters.repeat(9).slice(0, length)
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(9).slice(0, length)
const dashes = '-'.repeat(5)
const block = (kind: string, body: string) =>
  `${dashes}BEGIN ${kind}${dashes}\n${body}\n${dashes}END ${kind}${dashes}\n`
const jwt = [
  { alg: 'HS256', typ: 'JWT' },
  { sub: '1234567890', name: 'Somebody' },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat(some(43))
  .join('.')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const keys: readonly (readonly [what: string, text: string])[] = [
  ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['a private key', privateKey.export({ type: 'sec1', format: 'pem' }).toString().replaceAll('\n', '\r\n')],
  [
    'a private key',
    block('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${some(64)}`),
  ],
  ['a private key', block('OPENSSH PRIVATE KEY', 'not a real key')],
  ['a private key', block('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2.0\n\n${some(64)}\n=abcd`)],
  ['a private key', JSON.stringify({ private_key: block('PRIVATE KEY', some(64)) })],
  ['a private key', `key: |\n${block('EC PRIVATE KEY', some(64)).replace(/^/gm, '    ')}`],
  ['a private key', block('PRIVATE KEY', some(64)).split('\n').slice(0, 2).join('\n')],
  ['a private key', `[Interface]\nPrivateKey = ${randomBytes(32).toString('base64')}\n`],
  ['an API key', `const key = "sk-proj-${some(80)}"`],
  ['an API key', `OPENAI=sk-${some(48)}`],
  ['an API key', JSON.stringify({ text: `first\nsk-${some(48)}\tlast` })],
  ['an API key', `sk-ant-api03-${some(40)}-${some(40)}`],
  ['an API key', `sk-or-v1-${hex(64)}`],
  ['an API key', `gsk_${some(52)}`],
  ['an API key', `hf_${some(34)}`],
  ['a GitHub token', `ghp_${some(36)}`],
  ['a GitHub token', `https://x-access-token:ghs_${some(36)}@github.com/a/b`],
  ['a GitHub token', `https://ghp_${some(36)}@github.com/a/b`],
  ['a GitHub token', `github_pat_${some(22)}_${some(59)}`],
  ['a GitLab token', `glpat-${some(20)}`],
  ['an AWS key', `aws_access_key_id = AKIA${'IOSFODNN7EXAMPLE'}`],
  ['an AWS key', `"ASIA${some(16).toUpperCase()}"`],
  ['an AWS key', `aws_secret_access_key = ${some(40)}`],
  ['a Slack token', `xoxb-${'1234567890'}-${some(24)}`],
  ['a Slack token', `https://hooks.slack.com/services/T0/B0/${some(24)}`],
  ['a Google key', `AIza${some(35)}`],
  ['a Google key', `GOCSPX-${some(28)}`],
  ['a Stripe key', `sk_live_${some(24)}`],
  ['an npm token', `npm_${some(36)}`],
  ['an npm token', `//registry.example.org/:_authToken=${some(30)}`],
  ['a PyPI token', `pypi-${some(120)}`],
  ['a SendGrid key', `SG.${some(22)}.${some(43)}`],
  ['a Telegram token', `123456789:AA${some(33)}`],
  ['a token', `dop_v1_${hex(64)}`],
]

describe('findKeyText', () => {
  it.each(keys)('finds %s in %j', (what, text) => {
    for (const path of ['notes.md', 'src/a.ts', 'deep/config.yaml', 'README'])
      expect(findKeyText(`first line\n${text}\nlast line\n`, path)).toBe(what)
  })

  it.each([
    ['a JSON web token', `token: ${jwt}`],
    ['a key or password', `{"apiKey": "${hex(32)}"}`],
    ['a key or password', `client_secret: ${some(40)}`],
    ['a key or password', `DB_PASSWORD=${some(24)}`],
  ])('finds %s in settings files, but not in code', (what, text) => {
    for (const path of [
      'config.json',
      'app.yaml',
      '.env.example',
      'deploy.conf',
      'settings',
      'setup.sh',
      'start.ps1',
    ])
      expect(findKeyText(text, path)).toBe(what)
    for (const path of ['src/a.ts', 'test/jwt.test.py', 'README.md'])
      expect(findKeyText(text, path)).toBeUndefined()
  })

  it.each([
    ['a class of a style sheet', '.sk-folding-cube .sk-circle-fade-dot-container-large:nth-child(12) {}'],
    [
      'a word that ends so',
      'ask-for-1234567890abcdef1234 task-0123456789abcdef01234567 disk-0a1b2c3d4e5f60718293',
    ],
    [
      'a placeholder',
      `sk-${'x'.repeat(40)} ghp_${'X'.repeat(36)} sk-your-key-goes-here-please AKIA${'X'.repeat(16)}`,
    ],
    ['a prefix alone', "if (key.startsWith('sk-')) /^ghp_[A-Za-z0-9]{36}$/ xoxb- AIza AKIA"],
    [
      'code that makes a block',
      `const begin = '${dashes}BEGIN PRIVATE KEY${dashes}\\n'\nconst end = '\\n${dashes}END PRIVATE KEY${dashes}'`,
    ],
    [
      'a template of a block',
      `\`${dashes}BEGIN PRIVATE KEY${dashes}\n\${body}\n${dashes}END PRIVATE KEY${dashes}\``,
    ],
    ['a block that is cut short', block('PRIVATE KEY', 'MIIEvQIBADANBg...')],
    ['a public key', block('PUBLIC KEY', some(64))],
    ['a certificate', block('CERTIFICATE', some(64))],
    ['a hash', `"integrity": "sha512-${some(86)}==", "commit": "${hex(40)}"`],
    [
      'a name in the environment',
      'password: "$' + '{DB_PASSWORD_OF_PRODUCTION_2024}" token: $GITHUB_TOKEN_1234567890123',
    ],
    ['a name of a secret', 'secretName: my-app-tls-certificate-2024-production'],
    ['an id', `"id": "${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}"`],
    ['an image', `url(data:image/png;base64,${randomBytes(60_000).toString('base64')})`],
  ])('does not find a key in %s', (_, text) => {
    for (const path of ['config.json', 'src/a.ts', 'a.css']) expect(findKeyText(text, path)).toBeUndefined()
  })

  it('finds nothing in the sources and guides of this repository', () => {
    for (const folder of ['src', 'strategies', 'docs', 'scripts'])
      for (const entry of readdirSync(join(packageRoot(), folder), {
        recursive: true,
        withFileTypes: true,
      })) {
        const path = join(entry.parentPath, entry.name)
        if (entry.isFile())
          expect([path, findKeyText(readFileSync(path, 'utf8'), path)]).toEqual([path, undefined])
      }
  })

  it('takes time proportional to the length of the text', () => {
    const begun = performance.now()
    for (const text of [
      `${dashes}BEGIN PRIVATE KEY${dashes}\n`.repeat(5_000),
      `sk-${'a-'.repeat(20_000)}`,
      `eyJ${'a'.repeat(100_000)}.eyJ`.repeat(2),
      `${'password='.repeat(20_000)}`,
      'x'.repeat(400_000),
    ])
      findKeyText(text, 'a.json')
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})
