export class StoredResponse {
  /** Always true: if the events cannot be stored, the response is an error and the provider posts them again. */
  stored!: true;
}
