import { withoutLikelyCards } from '../printed.ts'
import { closedRecords, type IurFile } from './records.ts'

/** The column behind the tag and the item. */
const TEXT = 4
/** Service messages and frequent-flyer lines, which are not remarks. */
const MESSAGE = /^(?:PT-| [A-Z\d]{2} {2,})/

/** Remarks of the itinerary, the invoice and the interface, without repetition. */
export function iurRemarks(file: IurFile): string[] {
  const texts = ['M7', 'M8', 'M9'].flatMap((tag) => closedRecords(file, tag)).map(({ line }) => line.slice(TEXT))
  const remarks = texts.filter((text) => !MESSAGE.test(text)).map((text) => withoutLikelyCards(text.trim()))
  return [...new Set(remarks.filter((text) => text !== ''))]
}
