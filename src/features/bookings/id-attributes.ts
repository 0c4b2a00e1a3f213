/** Attributes of a booking that name other records by their ids, by the fields that name them by their keys. */
export const ID_ATTRIBUTES: Readonly<Record<string, string>> = {
  customer_external_id: 'customer_id',
  supplier_external_id: 'supplier_id',
  assigned_to_email: 'assigned_to_id',
  tour_departure_external_id: 'tour_departure_id',
}
