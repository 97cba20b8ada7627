import { getMetadataStorage } from 'class-validator';

/** What class-validator checks of each field of a request, in its order. */
export const validationsOf = (dto: new () => object) =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
