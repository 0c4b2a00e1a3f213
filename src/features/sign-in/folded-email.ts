/** As the database folds addresses: letter by letter, so that "İ" is "i", and one person has one count. */
export const folded = (email: string): string =>
  Array.from(email, (letter) => Array.from(letter.toLowerCase())[0]).join('')
