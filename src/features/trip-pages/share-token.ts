import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 24
const HINT_CHARACTERS = 4
const SALT_BYTES = 16
const KEY_BYTES = 32
/** Some 50 ms and 16 MiB for each password that is tried. */
const COST = { N: 16_384, r: 8, p: 1 }

/** 192 random bits that identify a share link. They are shown once; only their hash is stored. */
export const makeShareToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')
/** The visible end, by which people distinguish tokens. */
export const hintOf = (token: string): string => token.slice(-HINT_CHARACTERS)
export const hashShareToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** A password as stored: `scrypt$N$r$p$salt$key`, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt, KEY_BYTES, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether a password matches its hash. */
export async function passwordHolds(password: string, kept: string): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = kept.split('$')
  const known = Buffer.from(key, 'base64url')
  const options = { N: Number(n), r: Number(r), p: Number(p) }
  return timingSafeEqual(await keyOf(password, Buffer.from(salt, 'base64url'), known.length, options), known)
}

/** Two ways to type the same letter are one password, and so are blanks around it. */
export const asTyped = (password: string): string => password.normalize('NFKC').trim()

const keyOf = (password: string, salt: Buffer, bytes: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(asTyped(password), salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
