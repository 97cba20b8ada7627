export class ContactErasedResponse {
  id!: string;

  /** Always true. */
  erased!: boolean;
}
