import { bspReconciliation } from './billed.ts'
import { commissionExpected } from './earned.ts'
import { currencyExposure, payablesAging, receivablesAging } from './owed.ts'
import { birthdays, passportExpiry } from './people.ts'
import { departuresLoad, leadFunnel, optionDeadlines } from './pipeline.ts'
import type { Recomputed } from './recomputed.ts'
import { marginByBooking, salesBy } from './sales.ts'
import { refundsAndVoids } from './taken-back.ts'
import { vatSummary } from './taxed.ts'
import { ticketSales, unusedTickets } from './tickets.ts'
import { unbalancedDocuments } from './unbalanced.ts'

/** Every preset, found another way. */
export const RECOMPUTED: Readonly<Record<string, Recomputed>> = {
  sales_by_customer: salesBy('customer'),
  sales_by_supplier: salesBy('supplier'),
  sales_by_advisor: salesBy('advisor'),
  sales_by_product: salesBy('product'),
  sales_by_branch: salesBy('branch'),
  sales_by_destination: salesBy('destination'),
  ticket_sales: ticketSales,
  option_deadlines: optionDeadlines,
  lead_funnel: leadFunnel,
  departures_load: departuresLoad,
  passport_expiry: passportExpiry,
  birthdays,
  margin_by_booking: marginByBooking,
  receivables_aging: receivablesAging,
  payables_aging: payablesAging,
  vat_summary: vatSummary,
  refunds_and_voids: refundsAndVoids,
  commission_expected: commissionExpected,
  unbalanced_documents: unbalancedDocuments,
  currency_exposure: currencyExposure,
  bsp_reconciliation: bspReconciliation,
  unused_tickets: unusedTickets,
}
