import { describe, expect, it } from 'vitest'
import { isKeyFile, isKeyFolder } from '../../src/text/key-names.ts'

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
