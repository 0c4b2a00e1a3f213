const SHORTEST = 12
const LONGEST = 200

/** Why a password is too weak to be chosen; null if it is not. `personal` are words that others know of the person. */
export function passwordFault(password: string, personal: readonly (string | null)[]): string | null {
  const length = [...password].length
  if (length < SHORTEST) return `Choose at least ${SHORTEST} characters. A sentence is easy to remember.`
  if (length > LONGEST) return `Choose at most ${LONGEST} characters.`
  const folded = fold(password)
  if (new Set(folded).size < 5) return 'Choose a password of more different characters.'
  const known = personal.flatMap((word) => (word === null ? [] : fold(word).split(/[\s@.]+/)))
  const rest = known.filter(({ length }) => length > 3).reduce((text, word) => text.replaceAll(word, ''), folded)
  if ([...rest].length < SHORTEST / 2)
    return 'The password contains little more than a name or an e-mail address. Choose another.'
  return null
}
const fold = (text: string) => text.normalize('NFKD').toLowerCase()
