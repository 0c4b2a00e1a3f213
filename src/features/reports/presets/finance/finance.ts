import type { Product } from '../../booking-filters.ts'
import type { Preset } from '../../preset.ts'
import { payablesAging, receivablesAging } from './aging.ts'
import { commissionExpected } from './commission-expected.ts'
import { currencyExposure } from './currency-exposure.ts'
import { marginByBooking } from './margin-by-booking.ts'
import { refundsAndVoids } from './refunds-and-voids.ts'
import { unbalancedDocuments } from './unbalanced-documents.ts'
import { vatSummary } from './vat-summary.ts'

/** The reports about money owed, earned and taxed. */
export const financePresets = (products: readonly Product[]): readonly Preset[] => [
  marginByBooking(products),
  receivablesAging(products),
  payablesAging(products),
  vatSummary,
  refundsAndVoids,
  commissionExpected,
  unbalancedDocuments(products),
  currencyExposure(products),
]
