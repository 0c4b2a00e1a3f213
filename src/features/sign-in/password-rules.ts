import { isCommon, plain } from './common-passwords.ts'

const SHORTEST = 12
const LONGEST = 200
/** Letters that are left when what is known of the person is taken away. */
const FEWEST_OWN_LETTERS = 4

/** Why a password is too weak to be chosen; null if it is not. `personal` are words that others know of the person. */
export async function passwordFault(password: string, personal: readonly (string | null)[]): Promise<string | null> {
  const length = [...password].length
  if (length < SHORTEST) return `Choose at least ${SHORTEST} characters. A sentence is easy to remember.`
  if (length > LONGEST) return `Choose at most ${LONGEST} characters.`
  const text = plain(password)
  if (new Set(text).size < 5) return 'Choose a password of more different characters.'
  if (await isCommon(text))
    return 'This is a common password, or one with digits and signs around it, which is tried first. Choose a sentence of several words.'
  if (await isPersonal(text, personal))
    return 'The password contains little more than a name or an e-mail address. Choose a sentence of several words.'
  return null
}

async function isPersonal(text: string, personal: readonly (string | null)[]): Promise<boolean> {
  const known = personal.flatMap((words) => (words === null ? [] : plain(words).split(/[^\p{L}\p{N}]+/u)))
  // Longer words first: one may be a part of another.
  const words = known.filter(({ length }) => length > 2).sort((one, other) => other.length - one.length)
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), text)
  if (rest === text) return false
  const letters = rest.replaceAll(/[^\p{L}]/gu, '')
  return letters.length < FEWEST_OWN_LETTERS || isCommon(rest.replaceAll(' ', ''))
}
