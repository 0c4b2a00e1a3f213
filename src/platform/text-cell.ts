/**
 * Characters after which a spreadsheet, by the file's separator, reads a formula. A program that splits by the other
 * separator makes several cells of such a text, and ignores quotes around line ends.
 */
const FORMULA = {
  ',': /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g,
  ';': /(?<=^|[,\t\r\n])(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g,
}

/** A text as a cell of a file with this separator, which stays a text when a spreadsheet opens it. */
export const asTextCell = (text: string, separator: keyof typeof FORMULA = ','): string =>
  text.replace(FORMULA[separator], "'")
