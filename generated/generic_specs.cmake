# Writes the specs of the generic pack: everything of their scoring comes with the call.
# In: `folder`, `alphabets`; as a script, cmake -Dfolder=DIR "-Dalphabets=dna;protein" -P generic_specs.cmake. Out: the
# files, in `generic_specs`.
set(gap_linear "{model: linear, extend: runtime}")
set(gap_affine "{model: affine, open: runtime, extend: runtime}")
set(score_match "{match: runtime, mismatch: runtime}")
set(score_matrix "{matrix: runtime}")
set(generic_specs "")
foreach(alphabet IN LISTS alphabets)
  foreach(alignment global local semiglobal)
    foreach(gap linear affine)
      foreach(score match matrix)
        set(name "generic-${alphabet}-${alignment}-${gap}-${score}")
        file(CONFIGURE OUTPUT "${folder}/${name}.yaml" CONTENT "version: 1
name: ${name}
alignment: ${alignment}
gap: ${gap_${gap}}
alphabet: ${alphabet}
score: ${score_${score}}
")
        list(APPEND generic_specs "${folder}/${name}.yaml")
      endforeach()
    endforeach()
  endforeach()
endforeach()
