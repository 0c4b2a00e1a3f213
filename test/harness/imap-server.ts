import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './at-end.ts'
import { LOCAL_CERTIFICATE } from './certificate.ts'
import { freePort } from './process.ts'

const APT = '/usr/bin/apt-get'
const INSTALL = ['-q', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', 'dovecot-imapd']
/** The time limit of a hook if the server must be installed first. */
export const IMAP_TIMEOUT_MS = 400_000
const INSTALL_MS = 120_000
const START_MS = 10_000
const SLEEP_MS = 20
/** The owner of the mails: the server serves none of root. */
const NOBODY = 65_534
const PASSWORD = 's3cret/pw@1'
const isRoot = process.getuid?.() === 0

export type ImapServer = {
  readonly password: string
  /** The address of a user's box, as IMAP_URL has it. Every name is a user. */
  url(user: string, more?: { secure?: boolean; host?: string; password?: string; folder?: string }): string
  /** Puts mails into a box, one after the other, as a mail server does. */
  deliver(user: string, mails: readonly (Buffer | string)[], folder?: string): void
  /** Numbers all mails of a box anew. */
  renumber(user: string): void
  /** The content of a mailbox, with its flags, as the server stores it. */
  look(user: string): string[]
}

/**
 * Dovecot for a test file, on free ports, with its users and mails in a folder that is deleted at the end; null if it
 * is missing.
 */
export async function startImapServer(): Promise<ImapServer | null> {
  const dovecot = findDovecot() ?? (await installDovecot())
  if (dovecot === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'backdesk-imap-'))
  const [port, securePort] = [await freePort(), await freePort()]
  const config = join(folder, 'dovecot.conf')
  chmodSync(folder, 0o755)
  makeFolder(join(folder, 'mail'))
  writeFileSync(join(folder, 'cert.pem'), LOCAL_CERTIFICATE.cert)
  writeFileSync(join(folder, 'key.pem'), LOCAL_CERTIFICATE.key, { mode: 0o600 })
  writeFileSync(config, configOf(folder, port, securePort))
  const child = spawn(dovecot, ['-F', '-c', config], { stdio: 'ignore' })
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  await answers(port, () => readFileSync(join(folder, 'log'), 'utf8'))

  let delivered = 0
  let validity = 1_000
  const boxOf = (user: string, name: string) => join(folder, 'mail', user, name === 'INBOX' ? '' : `.${name}`)
  return {
    password: PASSWORD,
    url(user, { secure = false, host = 'localhost', password = PASSWORD, folder: name = '' } = {}) {
      const [written, word, box] = [user, password, name].map(encodeURIComponent)
      return `${secure ? 'imaps' : 'imap'}://${written}:${word}@${host}:${secure ? securePort : port}/${box}`
    },
    deliver(user, mails, name = 'INBOX') {
      for (const part of ['', 'tmp', 'new', 'cur']) makeFolder(join(boxOf(user, name), part))
      for (const mail of mails) {
        delivered += 1
        const path = join(boxOf(user, name), 'new', `${1_700_000_000 + delivered}.M${delivered}.test`)
        writeFileSync(path, mail)
        give(path)
      }
    },
    renumber(user) {
      validity += 1
      const args = ['-c', config, 'mailbox', 'update', '-u', user, '--uid-validity', String(validity), 'INBOX']
      const { status, stderr } = spawnSync(join(dirname(dovecot), '../bin/doveadm'), args, { encoding: 'utf8' })
      if (status !== 0) throw new Error(`doveadm: ${stderr}`)
    },
    look: (user) => ['new', 'cur'].flatMap((part) => readdirSync(join(boxOf(user, 'INBOX'), part))).toSorted(),
  }
}

/** Version 2.3, whose configuration this is; 2.4 is written otherwise. */
function findDovecot(): string | null {
  const { PATH = '' } = process.env
  const places = [...PATH.split(':'), '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, 'dovecot'))
  const found = places.find((path) => existsSync(path))
  return found && /^2\.3\./.test(spawnSync(found, ['--version'], { encoding: 'utf8' }).stdout) ? found : null
}

/** On Debian and its kin, where the tests run as root and no service manager would start it: in a container, that is. */
async function installDovecot(): Promise<string | null> {
  if (!isRoot || !existsSync(APT) || existsSync('/run/systemd/system')) return null
  console.log(`No Dovecot is here: ${APT} ${INSTALL.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [INSTALL, ['update'], INSTALL]) {
    await run(APT, args, { stdio: 'ignore', timeout: INSTALL_MS, env })
    const found = findDovecot()
    if (found) return found
  }
  return null
}

/** Its success is checked by its result. */
async function run(program: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  spawn(program, args, options).on('error', resolve).on('close', resolve)
  await promise
}

function makeFolder(path: string): void {
  if (existsSync(path)) return
  mkdirSync(path, { recursive: true })
  give(path)
}
const give = (path: string): void => void (isRoot && chownSync(path, NOBODY, NOBODY))

async function answers(port: number, log: () => string): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(SLEEP_MS)) {
    const socket = connect(port, '127.0.0.1')
    const greeting = once(socket, 'data', { signal: AbortSignal.timeout(START_MS) })
    const isUp = await greeting.then(() => true).catch(() => false)
    socket.destroy()
    if (isUp) return
  }
  throw new Error(`Dovecot did not start: ${log()}`)
}

/** Without root it runs as the current user, without a chroot. */
function configOf(folder: string, port: number, securePort: number): string {
  const { username, uid, gid } = userInfo()
  const [user, group] = isRoot ? [NOBODY, NOBODY] : [uid, gid]
  const unprivileged = `
default_internal_user = ${username}
default_internal_group = ${spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim()}
default_login_user = ${username}
`
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
mail_plugins =
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}
service anvil {
  chroot =
  # no longer and longer waits after a wrong password
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${securePort}
  }
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
${isRoot ? '' : unprivileged}`
}
