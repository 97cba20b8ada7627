export class StoredResponse {
  /** Always true: what cannot be stored is answered with an error, after which the provider posts again. */
  stored!: true;
}
