import type { Product } from './booking-filters.ts'
import type { Preset } from './preset.ts'
import { bspReconciliation } from './presets/bsp/bsp-reconciliation.ts'
import { unusedTickets } from './presets/bsp/unused-tickets.ts'
import { departuresLoad } from './presets/departures-load.ts'
import { financePresets } from './presets/finance/finance.ts'
import { leadFunnel } from './presets/lead-funnel.ts'
import { optionDeadlines } from './presets/option-deadlines.ts'
import { peoplePresets } from './presets/people.ts'
import { salesPresets } from './presets/sales.ts'
import { ticketSales } from './presets/ticket-sales.ts'

/** Every built-in report; `products` are the verticals. */
export const presetsOf = (products: readonly Product[]): readonly Preset[] => [
  ...salesPresets(products),
  ticketSales,
  optionDeadlines(products),
  leadFunnel,
  departuresLoad,
  ...peoplePresets,
  bspReconciliation,
  unusedTickets,
  ...financePresets(products),
]
