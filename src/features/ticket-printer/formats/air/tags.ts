/**
 * The tags that are parsed, and `FOI`, which would match `FO`. A `linked` line can end with what it applies to:
 * segments `;S2-5,7`, passengers `;P1,3-4`, a miscellaneous document `;D9` or `;L4`.
 */
const TAGS: Readonly<Record<string, 'plain' | 'linked'>> = {
  AMD: 'plain',
  MUC1A: 'plain',
  'A-': 'plain',
  'C-': 'plain',
  'D-': 'plain',
  'H-': 'plain',
  'U-': 'plain',
  'X-': 'plain',
  'Y-': 'plain',
  'M-': 'plain',
  'O-': 'plain',
  'Q-': 'plain',
  SIA: 'plain',
  'K-': 'plain',
  'KN-': 'plain',
  'KS-': 'plain',
  KFT: 'plain',
  KNT: 'plain',
  KST: 'plain',
  KRF: 'plain',
  'TAX-': 'plain',
  'ATC-': 'plain',
  'ATF-': 'plain',
  RFD: 'plain',
  EMD: 'linked',
  'EMQ-': 'linked',
  ICW: 'linked',
  MCO: 'linked',
  'I-': 'plain',
  'S-': 'plain',
  'T-': 'plain',
  TMC: 'linked',
  TBS: 'plain',
  'R-': 'plain',
  SSR: 'linked',
  OSI: 'linked',
  FQV: 'linked',
  FE: 'linked',
  FH: 'linked',
  FM: 'linked',
  FO: 'linked',
  FOI: 'linked',
  FP: 'linked',
  FT: 'linked',
  FV: 'linked',
  MFM: 'linked',
  MFO: 'linked',
  MFP: 'linked',
  MFT: 'linked',
  TK: 'linked',
  TFD: 'plain',
  RM: 'linked',
  RC: 'linked',
  RIS: 'linked',
  RIZ: 'linked',
  RIR: 'linked',
  RIF: 'linked',
  RII: 'linked',
  AITAN: 'plain',
}
/** The longest tags first, because `FOI` is not `FO`. */
const TAG = new RegExp(
  `^(?:${Object.keys(TAGS)
    .sort((a, b) => b.length - a.length)
    .join('|')})`,
)

export const tagOf = (row: string): string | undefined => TAG.exec(row)?.[0]
const LINKED: ReadonlySet<string> = new Set(Object.keys(TAGS).filter((tag) => TAGS[tag] === 'linked'))
export const hasLinks = (tag: string): boolean => LINKED.has(tag)
